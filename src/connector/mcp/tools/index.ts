import { ackMessages } from './ack-messages-tool.ts';
import type { Tool } from './define-tool.ts';
import { getMessageStatus } from './get-message-status-tool.ts';
import { goOffline } from './go-offline-tool.ts';
import { goOnline } from './go-online-tool.ts';
import { readHistory } from './read-history-tool.ts';
import { searchHistory } from './search-history-tool.ts';
import { seeAccountInformation } from './see-account-information-tool.ts';
import { sendMessage } from './send-message-tool.ts';

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
