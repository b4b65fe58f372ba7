import { writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { contentOf, startTermprog, type XDesktop } from './start-termprog.ts';

export const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** A terminal whose program writes what the test puts into a file, and keeps what it is sent. */
export async function startSelectionWriter(desktop: XDesktop, args: readonly string[]) {
  const file = desktop.newFile();
  const script = `stty raw -echo; cat < /dev/tty > ${file}.got & while :; do if [ -e ${file}.new ]; then cat ${file}.new; rm ${file}.new; fi; sleep 0.02; done`;
  const terminal = await startTermprog(desktop, { args: [...args], script });
  onTestFinished(() => terminal[Symbol.asyncDispose]());
  return {
    terminal,
    write: (bytes: string): void => {
      writeFileSync(`${file}.part`, bytes);
      // It appears with all its content.
      void desktop.run('mv', `${file}.part`, `${file}.new`);
    },
    got: () => contentOf(`${file}.got`),
  };
}
