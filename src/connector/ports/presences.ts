/** The sessions with the bouncer that stand, as the process that holds them writes them down. */
export interface PresenceStore {
  began(accountId: string, at: number): Promise<void>;
  ended(accountId: string): Promise<void>;
  /** Nothing stands from now on: at start, after a process that ended without a word. */
  endAll(): Promise<void>;
  /** When the present session began, milliseconds since 1970; null without one. */
  sessionSince(accountId: string): Promise<number | null>;
}
