/** The IRC server in the container; it ends with its unit. */
import { startErgo } from '../../../scripts/stack/ergo.ts';
import { facts } from './facts.ts';

const { process: ergo } = await startErgo({ folder: '/var/lib/irc-network', port: facts.ircPort });
await ergo.ended;
