import { ackMessages } from './ack-messages.ts';
import type { Tool } from './define-tool.ts';
import { getMessageStatus } from './get-message-status.ts';
import { goOffline } from './go-offline.ts';
import { goOnline } from './go-online.ts';
import { readHistory } from './read-history.ts';
import { searchHistory } from './search-history.ts';
import { seeAccountInformation } from './see-account-information.ts';
import { sendMessage } from './send-message.ts';

/** Every tool, in the order clients list them. @spec connector#mcp-tools */
export const tools: readonly Tool[] = [
  seeAccountInformation,
  goOnline,
  readHistory,
  ackMessages,
  searchHistory,
  sendMessage,
  getMessageStatus,
  goOffline,
];
