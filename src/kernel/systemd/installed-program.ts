import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../errors.ts';

/**
 * Path of the program's launcher, which finds its Node; it is in `bin` above the bundle.
 * @param main the bundle or the source that runs
 * @throws StartError
 */
export function installedProgram(name: string, main: string): string {
  let directory = dirname(main);
  while (directory !== '/' && !existsSync(`${directory}/bin/${name}`)) directory = dirname(directory);
  const program = `${directory === '/' ? '' : directory}/bin/${name}`;
  if (!existsSync(program)) throw new StartError(`install-units: there is no bin/${name} above ${main}`);
  return program;
}
