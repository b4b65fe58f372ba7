// Runs inside a terminal and joins it to a socket: what comes from the socket is the terminal's output, and back.
import { connect } from 'node:net';

const socket = connect(process.argv[2]);
socket.pipe(process.stdout);
process.stdin.pipe(socket);
socket.on('close', () => process.exit());
