/**
 * make-accounts.ts CHECKOUT STATE-DIRECTORY DATABASE-FILE ACCOUNTS
 * Makes accounts by the checkout's own harness, because each version has its own schema of the database, and prints
 * their ids as JSON. It is a process of its own: two checkouts' libraries don't get on in one.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { createAccounts, MadeAccount } from '../../tests/harness/create-accounts.ts';

const [checkout = '', stateDirectory = '', file = '', accounts = ''] = process.argv.slice(2);
const harness: { createAccounts: typeof createAccounts } = await import(
  pathToFileURL(join(checkout, 'tests/harness/create-accounts.ts')).href
);
const made = JSON.parse(accounts) as MadeAccount[];
console.log(JSON.stringify(await harness.createAccounts(stateDirectory, { sqlite: { file } }, made)));
