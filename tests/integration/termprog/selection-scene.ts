import { onTestFinished } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Pointer, pointerOver } from '../../harness/pointer.ts';
import { ATOMS, type SelectionPeer, startSelectionPeer } from '../../harness/selection-peer.ts';
import type { XDesktop } from '../../harness/start-termprog.ts';
import { startWrittenTerminal, type WrittenTerminal } from '../../harness/written-terminal.ts';

const PRIMARY: number = ATOMS.PRIMARY;
const TEXT = 'first-line of text\r\nsecond line\r\n\r\nfourth line here\r\n';

/** A terminal with a text, a pointer over it, and another program. */
export interface SelectionScene extends WrittenTerminal {
  peer: SelectionPeer;
  pointer: Pointer;
  /** Returns the text that another program gets. */
  given(selection?: number): Promise<string | undefined>;
  /** Waits until another program is given that. */
  isGiven(text: string, selection?: number): Promise<void>;
}

/** Opens a scene whose parts all end with the test. */
export async function openSelectionScene(
  desktop: XDesktop,
  args: readonly string[] = [],
  text = TEXT,
): Promise<SelectionScene> {
  const peer = await startSelectionPeer(desktop.environment);
  onTestFinished(() => peer[Symbol.dispose]());
  const utf8String = await peer.intern('UTF8_STRING');
  const written = await startWrittenTerminal(desktop, { args: ['-fn', 'fixed', ...args] });
  onTestFinished(() => written[Symbol.asyncDispose]());
  await written.write(text);
  const given = async (selection = PRIMARY): Promise<string | undefined> =>
    (await peer.ownerOf(selection)) === 0 ? undefined : (await peer.convert(selection, utf8String))?.data.toString();
  return {
    ...written,
    peer,
    pointer: pointerOver(desktop, written.terminal),
    given,
    isGiven: async (wanted, selection) => {
      let last: string | undefined;
      await waitFor(`another program is given ${JSON.stringify(wanted)}`, async () => {
        last = await given(selection);
        return last === wanted;
      }).catch((error: unknown) => {
        throw new Error(`another program was given ${JSON.stringify(last)}`, { cause: error });
      });
    },
  };
}
