import { endProcess } from '../kernel/end-process.ts';
import { main } from './main.ts';
import { wholeArguments, wholeEnvironment } from './process-words.ts';
import { letGoOfStartingTerminal } from './starting-terminal.ts';

process.on('exit', letGoOfStartingTerminal);
void main(wholeArguments(process.argv.slice(2)), wholeEnvironment(process.env)).then((status) => {
  // A pending file request may concern a disk that does not answer.
  const isHanging = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
  // A process that is replaced calls no listener.
  if (isHanging) letGoOfStartingTerminal();
  endProcess(status, isHanging);
});
