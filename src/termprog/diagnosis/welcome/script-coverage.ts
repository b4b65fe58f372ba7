import type { FaceSource } from '../../fonts/outline/face-source.ts';

/** Scripts that many fonts lack: a name, sample characters, and the Debian package with fonts for them. */
const SCRIPTS = [
  { name: 'Emoji', sample: '😀🎉', install: 'fonts-noto-color-emoji' },
  { name: 'Chinese', sample: '漢字语', install: 'fonts-noto-cjk' },
  { name: 'Japanese', sample: 'かな漢', install: 'fonts-noto-cjk' },
  { name: 'Korean', sample: '한국어', install: 'fonts-noto-cjk' },
  { name: 'Cyrillic', sample: 'Жщя', install: 'fonts-dejavu-core' },
  { name: 'Greek', sample: 'Ωαλ', install: 'fonts-dejavu-core' },
] as const;

export interface ScriptCoverage {
  covered: readonly string[];
  /** Names of scripts, and packages with fonts for them. */
  lacking: readonly { name: string; install: string }[];
}

/** Returns the scripts that some installed font covers, and the others. */
export function scriptCoverageOf(source: FaceSource, pattern: string): ScriptCoverage {
  const fonts = [...source.candidates({ pattern, size: { points: 10 }, isBold: false, isItalic: false })];
  const has = (sample: string): boolean =>
    fonts.some((font) => [...sample].every((character) => font.covers(character.codePointAt(0) ?? 0)));
  return {
    covered: SCRIPTS.filter(({ sample }) => has(sample)).map(({ name }) => name),
    lacking: SCRIPTS.filter(({ sample }) => !has(sample)),
  };
}
