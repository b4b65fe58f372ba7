import { main } from './main.ts';
import { wholeArguments, wholeEnvironment } from './process-words.ts';
import { letGoOfStartingTerminal } from './starting-terminal.ts';

process.on('exit', letGoOfStartingTerminal);
void main(wholeArguments(process.argv.slice(2)), wholeEnvironment(process.env)).then((status) => process.exit(status));
