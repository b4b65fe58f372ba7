/**
 * Goes on with a text as soon as it is there: at once where it was read on this thread, as nearly all are, which costs no promise.
 * @returns what `use` makes of it
 */
export function whenRead<Text, T>(text: Text | Promise<Text>, use: (text: Text) => T | Promise<T>): T | Promise<T> {
  return text instanceof Promise ? text.then(use) : use(text);
}
