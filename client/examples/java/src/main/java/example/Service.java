package example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A service that is called over plain HTTP. */
record Service(String url, HttpClient http, ObjectMapper json) {
  Service(String url) {
    this(url, HttpClient.newHttpClient(), new ObjectMapper());
  }

  /** An answer with another status than 200. */
  static final class Refusal extends IOException {
    private static final long serialVersionUID = 1;

    Refusal(HttpRequest request, int status, String text) {
      super("%s: %d %s".formatted(request.uri().getPath(), status, text));
    }
  }

  /** Calls a method that reads. */
  JsonNode get(String path, Map<String, String> query) throws IOException, InterruptedException {
    return call(request(path, query).build());
  }

  /** Calls a method with a JSON body. */
  JsonNode post(String path, Object body) throws IOException, InterruptedException {
    var publisher = HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body));
    return call(request(path, Map.of()).header("Content-Type", "application/json").POST(publisher).build());
  }

  /**
   * Passes on each event of a subscription once, also when the connection is lost in between, until {@code next} returns
   * false.
   */
  void events(Map<String, String> query, Predicate<JsonNode> next) throws IOException, InterruptedException {
    String cursor = null;
    for (; ; Thread.sleep(1000)) {
      var request = request("/api/streaming/events", query);
      if (cursor != null) request.header("Last-Event-ID", cursor);
      try (var stream = linesOf(request.build())) {
        for (Iterator<String> lines = stream.iterator(); lines.hasNext(); ) {
          var line = lines.next();
          if (line.startsWith("id: ")) cursor = line.substring(4);
          if (!line.startsWith("data: ")) continue;
          var event = json.readTree(line.substring(6));
          switch (event.get("type").asText()) {
            case "end":
              return;
            case "message", "transaction":
              if (!next.test(event)) return;
              break;
            default:
          }
        }
      } catch (Refusal refusal) {
        throw refusal;
      } catch (IOException | UncheckedIOException lost) {
        System.err.println("connecting again: " + lost.getMessage());
      }
    }
  }

  private Stream<String> linesOf(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<Stream<String>> response = http.send(request, BodyHandlers.ofLines());
    if (response.statusCode() == 200) return response.body();
    try (var text = response.body()) {
      throw new Refusal(request, response.statusCode(), text.collect(Collectors.joining()));
    }
  }

  private JsonNode call(HttpRequest request) throws IOException, InterruptedException {
    try (var lines = linesOf(request)) {
      return json.readTree(lines.collect(Collectors.joining("\n")));
    }
  }

  private HttpRequest.Builder request(String path, Map<String, String> query) {
    var text =
        query.entrySet().stream()
            .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    return HttpRequest.newBuilder(URI.create(url + path + "?" + text));
  }
}
