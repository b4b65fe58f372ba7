/** The output of the shell's commands. */
export interface CommandOutputPort {
  /** Pipes the output of the last completed command to the user's own command, if both exist. */
  pipe(): void;
}
