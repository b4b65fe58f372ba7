/**
 * Calls `use` with the text: at once and without a promise if it was read on this thread, as nearly all are.
 * @returns the result of `use`
 */
export function whenRead<Text, T>(text: Text | Promise<Text>, use: (text: Text) => T | Promise<T>): T | Promise<T> {
  return text instanceof Promise ? text.then(use) : use(text);
}

/**
 * Asks for each item. Like `whenRead`, returns at once if all answers are there.
 * @param ask throws at once or by its promise @throws what the first of them throws
 */
export function askEach<Item, T>(items: readonly Item[], ask: (item: Item) => T | Promise<T>): T[] | Promise<T[]> {
  const answers: (T | Promise<T>)[] = [];
  try {
    for (const item of items) answers.push(ask(item));
  } catch (error) {
    // Pending answers may reject later without a handler, which would end the process.
    for (const answer of answers) if (answer instanceof Promise) answer.catch(() => undefined);
    throw error;
  }
  const isHere = (answer: T | Promise<T>): answer is T => !(answer instanceof Promise);
  return answers.every(isHere) ? answers : Promise.all(answers);
}
