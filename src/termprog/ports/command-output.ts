/** What commands wrote that ran in the shell. */
export interface CommandOutputPort {
  /** Gives the output of the last completed command to the user's own command, when both are there. */
  pipe(): void;
}
