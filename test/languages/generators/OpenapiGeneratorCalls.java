import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import v2.api.AccountsApi;
import v2.api.AccountsApi.APIGetAddressBalanceRequest;
import v2.api.BlocksApi;
import v3.api.ActionsAndTracesApi;
import v3.api.ActionsAndTracesApi.APIV3ActionsRequest;
import v3.api.ActionsAndTracesApi.APIV3TracesRequest;
import v3.api.BlockchainDataApi;
import v3.api.BlockchainDataApi.APIV3TransactionsByMasterchainBlockRequest;
import v3.api.BlockchainDataApi.APIV3TransactionsRequest;
import v3.api.JettonsApi;
import v3.api.JettonsApi.APIV3JettonWalletsRequest;
import v3.api.LegacyApi;
import v3.api.LegacyApi.APIV3RunGetMethodPostRequest;
import v3.model.JettonTransferAction;
import v3.model.JettonWallet;
import v3.model.Transaction;
import v3.model.V3RunGetMethodBody;

/** Nine calls by clients that openapi-generator made; prints the answers as JSON. */
public final class OpenapiGeneratorCalls {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] arguments) throws Exception {
    var account = System.getenv("TON_ACCOUNT");
    var ofV2 = new v2.ApiClient();
    ofV2.updateBaseUri(System.getenv("TON_URL"));
    var ofV3 = new v3.ApiClient();
    ofV3.updateBaseUri(System.getenv("TON_URL"));
    var accounts = new AccountsApi(ofV2);
    var chain = new BlockchainDataApi(ofV3);
    var history = new ActionsAndTracesApi(ofV3);
    var answers = new LinkedHashMap<String, Object>();

    answers.put("seqno", new BlocksApi(ofV2).getMasterchainInfo().getResult().getLast().getSeqno());
    answers.put("balance", accounts.getAddressBalance(balanceOf(account)).getResult());

    var body = new V3RunGetMethodBody().address(System.getenv("TON_JETTON")).method("get_jetton_data").stack(List.of());
    var run = new LegacyApi(ofV3).v3RunGetMethodPost(APIV3RunGetMethodPostRequest.newBuilder().v3RunGetMethodBody(body).build());
    answers.put("supply", run.getStack().get(0).getValue());

    var transactions = chain.v3Transactions(
        APIV3TransactionsRequest.newBuilder()
            .account(List.of(account, System.getenv("TON_OTHER")))
            .startLt(System.getenv("TON_START_LT"))
            .sort("asc")
            .limit(5)
            .build());
    answers.put("transactions", transactions.getTransactions().stream().map(Transaction::getHash).toList());

    var jettons = new JettonsApi(ofV3).v3JettonWallets(APIV3JettonWalletsRequest.newBuilder().ownerAddress(List.of(account)).build());
    var balances = new LinkedHashMap<String, String>();
    for (JettonWallet wallet : jettons.getJettonWallets()) balances.put(wallet.getAddress(), wallet.getBalance());
    answers.put("jettons", balances);

    var traces = history.v3Traces(APIV3TracesRequest.newBuilder().traceId(List.of(System.getenv("TON_TRACE"))).build());
    answers.put("trace", traces.getTraces().get(0).getTransactionsOrder().size());

    var actions = history.v3Actions(APIV3ActionsRequest.newBuilder().account(account).actionType(List.of("jetton_transfer")).build());
    answers.put(
        "transfers",
        actions.getActions().stream()
            .map(action -> ((JettonTransferAction) action.getActualInstance()).getDetails())
            .map(details -> Arrays.asList(details.getAmount(), details.getComment()))
            .toList());

    try {
      accounts.getAddressBalance(balanceOf("nobody"));
    } catch (v2.ApiException refused) {
      answers.put("unprocessable", List.of(refused.getCode(), read(refused.getResponseBody(), v2.model.Failure.class).getError()));
    }
    var missing = APIV3TransactionsByMasterchainBlockRequest.newBuilder().seqno(Integer.valueOf(System.getenv("TON_MISSING_BLOCK")));
    try {
      chain.v3TransactionsByMasterchainBlock(missing.build());
    } catch (v3.ApiException refused) {
      answers.put("missing", List.of(refused.getCode(), read(refused.getResponseBody(), v3.model.Failure.class).getError()));
    }
    System.out.println(JSON.writeValueAsString(answers));
  }

  private static APIGetAddressBalanceRequest balanceOf(String address) {
    return APIGetAddressBalanceRequest.newBuilder().address(address).build();
  }

  private static <T> T read(String body, Class<T> type) throws JsonProcessingException {
    return JSON.readValue(body, type);
  }
}
