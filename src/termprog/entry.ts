import { main } from './main.ts';

void main(process.argv.slice(2), process.env).then((status) => process.exit(status));
