import java.util.List;
import org.ton.ton4j.toncenter.TonCenter;

/** Reads by the library ton4j. */
public final class Ton4jCalls {
  public static void main(String[] arguments) {
    var client = TonCenter.builder().endpoint(System.getenv("TON_URL") + "/api/v2").apiKey(System.getenv("TON_KEY")).build();
    var seqno = client.getMasterchainInfo().getResult().getLast().getSeqno();
    var balance = client.getAddressBalance(System.getenv("TON_ACCOUNT")).getResult();
    var supply = client.runGetMethod(System.getenv("TON_JETTON"), "get_jetton_data", List.of()).getResult().getStack().get(0).get(1);
    System.out.printf("{\"seqno\":%d,\"balance\":\"%s\",\"supply\":\"%s\"}%n", seqno, balance, supply);
    client.close();
  }
}
