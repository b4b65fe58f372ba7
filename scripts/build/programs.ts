import type { Plugin } from 'esbuild';
import { koffiPackage } from './bundle-options.ts';
import { smallParserLibrary } from './small-parser-library.ts';
import { smallXLibrary } from './small-x-library.ts';
import { sqliteAddon } from './sqlite-addon.ts';

/** Sources and form of a program's build. */
export interface ProgramSource {
  /** Its command. */
  name: string;
  /** Its first source file. */
  entry: string;
  /** The file that `bin/` runs. */
  output: string;
  /**
   * Whether its parts load Node's modules by `import` or by `require`. The output may be an ES module with either. An
   * ES `import` of node:http reads all its exports, which loads an HTTP client.
   */
  format: 'esm' | 'cjs';
  plugins?: Plugin[];
  /** The packages beside the bundle that it loads. */
  natives: readonly string[];
  /** Packages that have code in an addon of Homeport's own. */
  compiled?: readonly string[];
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
    plugins: [sqliteAddon],
    natives: [koffiPackage],
    compiled: ['node-addon-api'],
  },
  // The agent is no ES module: it would load an HTTP client that it never uses, in 10 MB of memory.
  {
    name: 'homeport-agent',
    entry: 'src/agent/main.ts',
    output: 'dist/agent.cjs',
    format: 'cjs',
    natives: [koffiPackage],
  },
  {
    name: 'termprog',
    entry: 'src/termprog/entry.ts',
    output: 'dist/termprog.cjs',
    format: 'cjs',
    plugins: [smallXLibrary, smallParserLibrary],
    natives: [koffiPackage],
    launcher: { entry: 'src/termprog/launch.ts', startFunctions: 'scripts/build/start-functions.json' },
  },
];
