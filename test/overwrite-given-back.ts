import { textBuffers } from "../server/present/v3/answer-text.js";
import { AnswerSocket } from "../server/store/wire/answer-socket.js";

// Memory that is used again is overwritten at once: a text or a row that is read too late is wrong in every test, not only in those
// that use the memory meanwhile. Files of a worker share the modules, whose methods are replaced once.
if (!Object.hasOwn(textBuffers, "giveBack")) {
  const { giveBack } = textBuffers;
  textBuffers.giveBack = (buffer) => giveBack.call(textBuffers, buffer.fill("?"));

  const { passOn } = AnswerSocket.prototype;
  AnswerSocket.prototype.passOn = function (bytes) {
    const goesOn = passOn.call(this, bytes);
    bytes.fill("?");
    return goesOn;
  };
}
