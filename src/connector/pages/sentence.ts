/**
 * Makes a sentence of a refusal's message, which is written for programs too: in lower case and without a full stop.
 */
export function sentence(message: string): string {
  const begun = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
