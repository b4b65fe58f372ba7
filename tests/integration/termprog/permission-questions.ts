import { askTerminal } from '../../harness/ask-terminal.ts';
import type { XDesktop } from '../../harness/start-termprog.ts';

/** Operation -> request that needs its permission, and the answer if it is permitted; E stands for ESC. */
const QUESTIONS = {
  GetWinSizePixels: ['\\033[14t', /E\[4;312;480t/],
  GetScreenSizeChars: ['\\033[16t', /E\[6;13;6t/],
  GetWinSizeChars: ['\\033[18t', /E\[8;24;80t/],
  GetIconTitle: ['\\033[20t', /E\]L[^E]/],
  GetWinTitle: ['\\033[21t', /E\]l[^E]/],
  GetColor: ['\\033]10;?\\007', /E\]10;rgb:/],
  GetAnsiColor: ['\\033]4;1;?\\007', /E\]4;1;rgb:/],
  GetTcap: ['\\033P+q544e\\033\\\\', /EP1\+r544[eE]=/],
  GetChecksum: ['\\033[1;1;1;1;1;1*y', /EP1!~[0-9A-F]{4}E/],
} as const;

/** The questions as the terminal gets them. */
export const WRITTEN_QUESTIONS = Object.values(QUESTIONS).map(([written]) =>
  written.replaceAll('\\033', '\x1b').replaceAll('\\007', '\x07').replaceAll('\\\\', '\\'),
);

export type Question = keyof typeof QUESTIONS;

/** The questions that are answered with these resources. */
export async function answeredQuestions(
  desktop: XDesktop,
  resources: Readonly<Record<string, string>>,
): Promise<Question[]> {
  const questions = Object.entries(QUESTIONS) as [Question, (typeof QUESTIONS)[Question]][];
  const args = Object.entries(resources).flatMap(([name, value]) => ['-xrm', `*${name}: ${value}`]);
  const answers = await askTerminal(desktop, questions.map(([, [asked]]) => asked).join(''), { args });
  const shown = answers.replaceAll('\x1b', 'E');
  return questions.filter(([, [, answer]]) => answer.test(shown)).map(([name]) => name);
}

export const SIZES = ['GetWinSizePixels', 'GetScreenSizeChars', 'GetWinSizeChars'] as const;
export const LABELS = ['GetIconTitle', 'GetWinTitle'] as const;
export const COLORS = ['GetColor', 'GetAnsiColor'] as const;
