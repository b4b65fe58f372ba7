import { main } from './main.ts';
import { wholeArguments, wholeEnvironment } from './process-words.ts';

void main(wholeArguments(process.argv.slice(2)), wholeEnvironment(process.env)).then((status) => process.exit(status));
