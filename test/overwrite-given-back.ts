import { drafts } from "../server/present/v3/answer-text.js";
import { AnswerSocket } from "../server/store/wire/answer-socket.js";

// Memory that is used again is overwritten at once: a text or a row that is read too late is wrong in every test, not only in those
// that use the memory meanwhile.
drafts.overwrites = true;
AnswerSocket.overwrites = true;
