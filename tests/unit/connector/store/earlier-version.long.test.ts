import { readdir } from 'node:fs/promises';
import { askRecordings } from '../../../harness/ask-recordings.ts';
import { RECORDINGS } from '../../../harness/recorded-database.ts';
import { reviveRecording } from '../../../harness/revive-recording.ts';

askRecordings(await readdir(RECORDINGS), 'with the program of today', (number) => reviveRecording(number));
