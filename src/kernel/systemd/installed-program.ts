import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../errors.ts';

/**
 * The program as people start it, which finds its Node; it stands in `bin` above its bundle.
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
