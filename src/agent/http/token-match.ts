/**
 * Compares a presented token in a time that depends on its length alone, which its sender knows.
 * Node's own comparison comes with all of node:crypto, which would be a tenth of this program's start and memory.
 * @param token ASCII
 */
export function tokenMatcher(token: string): (presented: string | undefined) => boolean {
  return (presented) => {
    if (presented === undefined) return false;
    let difference = presented.length ^ token.length;
    // No branch and no early end: every character is looked at, whatever the ones before it were.
    for (let index = 0; index < presented.length; index += 1) {
      difference |= presented.charCodeAt(index) ^ token.charCodeAt(index % token.length);
    }
    return difference === 0;
  };
}
