import type { Plugin } from 'esbuild';
import { smallParserLibrary } from './small-parser-library.ts';
import { smallXLibrary } from './small-x-library.ts';

/** What a program is built from. */
export interface ProgramSource {
  /** Its command. */
  name: string;
  /** Its first source file. */
  entry: string;
  /** The file that `bin/` runs. */
  output: string;
  /**
   * How its parts take Node's modules: by `import` or by `require`. The output may be an ES module with either. An ES
   * `import` of node:http reads all its exports, which loads an HTTP client.
   */
  format: 'esm' | 'cjs';
  plugins?: Plugin[];
  /** The packages beside the bundle that it loads. */
  natives: readonly string[];
  /**
   * A launcher that becomes `output`. It runs the program, which is then a script in a folder beside it, with the code
   * that V8 compiled during the build.
   */
  launcher?: {
    /** Its source file. */
    entry: string;
    /** File with the names of the functions that V8 compiles during the build; scripts/start-functions.ts writes it. */
    startFunctions: string;
  };
}

export const programs: readonly ProgramSource[] = [
  {
    name: 'homeport-connector',
    entry: 'src/connector/main.ts',
    output: 'dist/connector.mjs',
    format: 'esm',
    natives: ['sqlite3', 'bindings', 'file-uri-to-path', 'koffi'],
  },
  // An HTTP client that it never uses would be 10 MB of its memory.
  { name: 'homeport-agent', entry: 'src/agent/main.ts', output: 'dist/agent.cjs', format: 'cjs', natives: ['koffi'] },
  {
    name: 'termprog',
    entry: 'src/termprog/entry.ts',
    output: 'dist/termprog.cjs',
    format: 'cjs',
    plugins: [smallXLibrary, smallParserLibrary],
    natives: ['koffi'],
    launcher: { entry: 'src/termprog/launch.ts', startFunctions: 'scripts/build/start-functions.json' },
  },
];
