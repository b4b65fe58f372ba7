import { AGENT_NAME_MAX_CHARACTERS } from '../../domain/agent-name.ts';

/** A text that a form refused, and the reason; the page shows both beside the field. */
export interface RefusedText {
  field: 'nick' | 'login' | 'name' | 'account' | 'agent';
  /** Distinguishes several fields of this kind: the consent of an agent. */
  of?: string;
  written: string;
  why: string;
}

export const NO_AGENT_NAME = `This can’t be a name. One has at most ${AGENT_NAME_MAX_CHARACTERS} characters, all of them visible.`;
