import type { LoginState } from '../domain/login-at-network.ts';
import type { LoginAnswer, Password } from '../ports/bouncer-logins.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';

/** Longest wait for a network's answer to a login. */
const ANSWER_MAX_MS = 15_000;

/**
 * Logs in on a session. NickServ's text is meant for people; the server's own messages show who is logged in.
 * ended-ok: the caller checks the session.
 */
export async function answerOf(session: BouncerSession, password: Password): Promise<LoginAnswer> {
  const answer = await session.login.logIn(password, ANSWER_MAX_MS);
  if (answer.outcome === 'answered') await session.probeUpstream(ANSWER_MAX_MS);
  return answer;
}

export function stateAfter(answer: LoginAnswer, wasAccepted: boolean): LoginState {
  switch (answer.outcome) {
    case 'accepted':
      return 'accepted';
    case 'refused':
      return wasAccepted ? 'lost' : 'refused';
    case 'answered':
      return wasAccepted ? 'lost' : 'unconfirmed';
    case 'unsupported':
      // Some servers know no NickServ while their services are away.
      return wasAccepted ? 'accepted' : 'unsupported';
    case 'unavailable':
    case 'unanswered':
      // The network's services may be away; the login was not refused.
      return wasAccepted ? 'accepted' : 'unanswered';
  }
}
