package example;

import com.iwebpp.crypto.TweetNaclFast.Signature;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.ton.ton4j.mnemonic.Mnemonic;
import org.ton.ton4j.smartcontract.SendMode;
import org.ton.ton4j.smartcontract.types.WalletV4R2Config;
import org.ton.ton4j.smartcontract.wallet.v4.WalletV4R2;
import org.ton.ton4j.utils.Utils;

/** Reads a wallet and its jettons, sends TON, and follows what happens. */
public final class Wallet {
  private static final long WALLET_ID = 698983191;

  private final Service service;
  private final WalletV4R2 wallet;
  private final String address;

  private Wallet(Service service, Signature.KeyPair keys) {
    this.service = service;
    wallet = WalletV4R2.builder().keyPair(keys).walletId(WALLET_ID).build();
    address = wallet.getAddress().toRaw();
  }

  public static void main(String[] arguments) throws Exception {
    var service = new Service(System.getenv().getOrDefault("TON_URL", "http://127.0.0.1:8081"));
    var seed = Mnemonic.toKeyPair(System.getenv("TON_MNEMONIC")).getSecretKey();
    var wallet = new Wallet(service, Utils.generateSignatureKeyPairFromSeed(seed));

    var block = wallet.read();
    wallet.jettons();
    var trace = wallet.sendAndWait();
    wallet.subscribe(block + 1, trace);
  }

  /** Prints the balance; returns the seqno of the newest block in the index. */
  private long read() throws IOException, InterruptedException {
    var seqno = service.get("/api/v3/masterchainInfo", Map.of()).at("/last/seqno").asLong();
    var account = service.get("/api/v3/accountStates", Map.of("address", address)).at("/accounts/0");
    System.out.println("balance: " + units(account.get("balance").asText(), 9) + " TON");
    return seqno;
  }

  /** Prints the jettons of the wallet. */
  private void jettons() throws IOException, InterruptedException {
    var query = Map.of("owner_address", address, "exclude_zero_balance", "true");
    var answer = service.get("/api/v3/jetton/wallets", query);
    for (var held : answer.get("jetton_wallets")) {
      var token = answer.get("metadata").get(held.get("jetton").asText()).at("/token_info/0");
      var decimals = token.at("/extra/decimals").asInt(9);
      System.out.println(
          "jetton: " + units(held.get("balance").asText(), decimals) + " " + token.get("symbol").asText());
    }
  }

  /** Sends TON to the wallet itself; returns the id of the trace once everything that follows has happened. */
  private String sendAndWait() throws IOException, InterruptedException {
    var state = service.get("/api/v3/walletInformation", Map.of("address", address));
    var transfer =
        WalletV4R2Config.builder()
            .walletId(WALLET_ID)
            .seqno(state.get("seqno").asLong())
            .destination(wallet.getAddress())
            .amount(Utils.toNano("0.01"))
            .comment("Hello from Java")
            .sendMode(SendMode.PAY_GAS_SEPARATELY_AND_IGNORE_ERRORS)
            .build();
    var boc = wallet.prepareExternalMsg(transfer).toCell().toBase64();
    var hash = service.post("/api/v3/message", Map.of("boc", boc)).get("message_hash").asText();

    var trace = new AtomicReference<String>();
    service.events(
        Map.of("kind", "message", "message", hash),
        event -> {
          var message = event.get("message");
          var status = message.get("status").asText();
          System.out.println("message: " + status);
          if (status.equals("completed") && message.get("success").asBoolean())
            trace.set(message.get("trace_id").asText());
          return !status.matches("completed|expired|dropped");
        });
    if (trace.get() == null) throw new IOException("the transfer failed");
    return trace.get();
  }

  /** Prints the transactions of the wallet since a block, until that of a trace. */
  private void subscribe(long block, String trace) throws IOException, InterruptedException {
    var from = "{\"mc_seqno\":%d}".formatted(block);
    service.events(
        Map.of("kind", "transactions", "accounts", address, "from", from),
        event -> {
          System.out.println("transaction: " + event.at("/transaction/hash").asText());
          return !event.at("/transaction/trace_id").asText().equals(trace);
        });
  }

  /** An amount of the smallest units as a decimal number. */
  private static String units(String amount, int decimals) {
    return new BigDecimal(amount).movePointLeft(decimals).toPlainString();
  }
}
