import type { ConnectorRequirementId } from './connector.ts';

/** A change of the source that breaks rows of the connector's page. */
export interface SourceMutation {
  breaks: readonly [ConnectorRequirementId, ...ConnectorRequirementId[]];
  file: string;
  /** Text that stands once in the file. */
  from: string;
  to: string;
}

type Change = readonly [from: string, to: string, ...breaks: SourceMutation['breaks']];

const inFile = (file: string, ...changes: readonly Change[]): SourceMutation[] =>
  changes.map(([from, to, ...breaks]) => ({ breaks, file, from, to }));

/** Mutations for rows that are proved within one process: each must make one of their tests fail. */
export const connectorMutations: readonly SourceMutation[] = [
  ...inFile(
    'src/connector/domain/limits.ts',
    ['NICK_MAX_CHARACTERS = 31', 'NICK_MAX_CHARACTERS = 32', 'connector.limit.nick-length', 'connector.account.nick'],
    ['HISTORY_LIMIT_MAX = 200', 'HISTORY_LIMIT_MAX = 201', 'connector.parameter.limit', 'connector.error.400'],
    [
      'HISTORY_LIMIT_DEFAULT = 50',
      'HISTORY_LIMIT_DEFAULT = 49',
      'connector.parameter.limit',
      'connector.endpoint.GET-v1-channels-channel-messages',
    ],
    [
      'MESSAGE_MAX_CHARACTERS = 400',
      'MESSAGE_MAX_CHARACTERS = 401',
      'connector.parameter.text',
      'connector.limit.message-text',
      'connector.limit.message-text-of-send-message',
    ],
    ['LAST_HOUR_MS = HOUR_MS', 'LAST_HOUR_MS = 2 * HOUR_MS', 'connector.tool.read-history'],
    ['POSTS_PER_WINDOW = 20', 'POSTS_PER_WINDOW = 21', 'connector.limit.post-rate', 'connector.error.429'],
    ['POST_WINDOW_MS = MINUTE_MS', 'POST_WINDOW_MS = 59 * SECOND_MS', 'connector.limit.the-minute-of-the-post-rate'],
    [
      'AGENT_SESSION_IDLE_MS = 30 * DAY_MS',
      'AGENT_SESSION_IDLE_MS = 31 * DAY_MS',
      'connector.session.lifetime',
      'connector.limit.agent-session-inactivity-expiry',
    ],
    [
      'IDEMPOTENCY_KEY_MAX_CHARACTERS = 128',
      'IDEMPOTENCY_KEY_MAX_CHARACTERS = 129',
      'connector.parameter.idempotency-key',
    ],
    ['ACCESS_TOKEN_SECONDS = HOUR_MS', 'ACCESS_TOKEN_SECONDS = 2 * HOUR_MS', 'connector.lifetime.access-token'],
    ['AUTHORIZATION_CODE_SECONDS = 60', 'AUTHORIZATION_CODE_SECONDS = 120', 'connector.lifetime.authorization-code'],
    ['CONSENT_IDLE_MS = 30 * DAY_MS', 'CONSENT_IDLE_MS = 31 * DAY_MS', 'connector.lifetime.refresh-token'],
    [
      'SUBSCRIPTION_DEFAULT_MS = 24 * HOUR_MS',
      'SUBSCRIPTION_DEFAULT_MS = 25 * HOUR_MS',
      'connector.delivery.subscription-expiry',
    ],
    [
      'SUBSCRIPTION_MAX_MS = 30 * DAY_MS',
      'SUBSCRIPTION_MAX_MS = 31 * DAY_MS',
      'connector.delivery.subscription-expiry',
    ],
    [
      'SUBSCRIPTIONS_PER_CLIENT = 50',
      'SUBSCRIPTIONS_PER_CLIENT = 51',
      'connector.delivery.subscriptions',
      'connector.code.32013',
    ],
    ['DELIVERIES_PER_SUBSCRIPTION = 1_000', 'DELIVERIES_PER_SUBSCRIPTION = 1_001', 'connector.delivery.queue'],
    ['DELIVERIES_MAX = 10_000', 'DELIVERIES_MAX = 10_001', 'connector.delivery.queue'],
    [
      'BROWSER_SESSION_IDLE_MS = 12 * HOUR_MS',
      'BROWSER_SESSION_IDLE_MS = 13 * HOUR_MS',
      'connector.lifetime.browser-session',
    ],
    [
      'BROWSER_SESSION_MAX_MS = 30 * DAY_MS',
      'BROWSER_SESSION_MAX_MS = 31 * DAY_MS',
      'connector.lifetime.browser-session',
    ],
  ),
  ...inFile(
    'schemas/connector.ts',
    ['z.maximum(36_500)), 90)', 'z.maximum(36_500)), 91)', 'connector.limit.retention'],
    ['z.maximum(10_000_000)), 200_000)', 'z.maximum(10_000_000)), 100_000)', 'connector.limit.retention'],
    ['z.maximum(10_000)), 20)', 'z.maximum(10_000)), 21)', 'connector.limit.users-settings-maxUsers'],
  ),
  ...inFile(
    'src/connector/wire/entry-output.ts',
    ['entryId: entry.entryId', 'entryId: entry.entryId + entry.timestampSource', 'connector.entry.entryId'],
    ['network: entry.network', 'network: entry.channel', 'connector.entry.network-channel'],
    ['sender: entry.sender', 'sender: entry.channel', 'connector.entry.sender'],
    ['isoTime(entry.eventAt)', 'isoTime(entry.observedAt)', 'connector.entry.event-time'],
    ['isoTime(entry.observedAt)', 'isoTime(entry.eventAt)', 'connector.entry.observation-time'],
    ['timestampSource: entry.timestampSource', "timestampSource: 'server'", 'connector.entry.timestampSource'],
    ['messageId: entry.messageId', 'messageId: null', 'connector.entry.messageId'],
  ),
  ...inFile(
    'src/connector/mcp/tools/see-account-information-tool.ts',
    ["account.isOnline ? 'online' : 'offline'", "'offline'", 'connector.information.nick-server-channels-presence'],
    ['isoTimeOrNull(onlineSince)', 'null', 'connector.information.onlineSince'],
    ['isoTimeOrNull(account.lastDisconnectedAt)', 'null', 'connector.information.lastDisconnectedAt'],
    ['isoTimeOrNull(lastReceived?.eventAt ?? null)', 'null', 'connector.information.last-captured-activity'],
  ),
  ...inFile('src/connector/mcp/endpoint.ts', [
    'if (!(await isLegacyRequest(request, extra.parsedBody)))',
    'if (await isLegacyRequest(request, extra.parsedBody))',
    'connector.code.32020-32021-32022',
  ]),
  ...inFile(
    'src/connector/mcp/event-errors.ts',
    ['event_unknown: -32_011', 'event_unknown: -32_012', 'connector.code.32011'],
    ['channel_not_enabled: -32_012', 'channel_not_enabled: -32_011', 'connector.code.32012'],
    ['delivery_mode_unsupported: -32_014', 'delivery_mode_unsupported: -32_602', 'connector.code.32014'],
    ['callback_failed: -32_015', 'callback_failed: -32_012', 'connector.code.32015'],
  ),
  ...inFile(
    'src/connector/domain/mention-event.ts',
    ['fold(sender, casemapping) !== fold(nick, casemapping) && ', '', 'connector.event.own-messages'],
    ['new Date(eventAt)', 'new Date(observedAt)', 'connector.event.payload-content'],
  ),
  ...inFile('src/connector/domain/mention.ts', [
    'keyOf(token) === key',
    'keyOf(token).startsWith(key)',
    'connector.event.match',
  ]),
  ...inFile('src/connector/domain/mention-filters.ts', [
    'sender === said.sender',
    'sender !== said.sender',
    'connector.event.filters',
  ]),
  ...inFile('src/connector/store/mention-reaction.ts', [
    'enabled.includes(entry.channel)',
    'true',
    'connector.event.no-channel-filter',
    'connector.event.channel-filter',
  ]),
  ...inFile('src/connector/services/list-subscriptions.ts', [
    'each.clientId === clientId',
    'each.clientId !== undefined',
    'connector.event.subscription-owner',
  ]),
  ...inFile('src/connector/mcp/mention-events.ts', [
    'paused: each.isPaused',
    'paused: false',
    'connector.information.mentionEvents',
  ]),
  ...inFile(
    'src/connector/rest/get-status.ts',
    ['connected: isConnected,', 'connected: true,', 'connector.status.connected'],
    ['joined_channels: joinedChannels', 'joined_channels: enabledChannels', 'connector.status.joined-channels'],
    ['enabled_channels: enabledChannels', 'enabled_channels: joinedChannels', 'connector.status.enabled-channels'],
  ),
  ...inFile('src/connector/mcp/tools/read-history-tool.ts', [
    "scope: 'irc:read'",
    "scope: 'irc:write'",
    'connector.authentication.5',
  ]),
  ...inFile('src/connector/rest/post-channel-message.ts', [
    "scope: 'irc:write'",
    "scope: 'irc:read'",
    'connector.authentication.5',
  ]),
  ...inFile(
    'src/connector/errors.ts',
    ['channel_invalid: { status: 400 }', 'channel_invalid: { status: 404 }', 'connector.error.400'],
    ['scope_missing: { status: 401 }', 'scope_missing: { status: 403 }', 'connector.error.401'],
    ['channel_not_enabled: { status: 404 }', 'channel_not_enabled: { status: 403 }', 'connector.error.404'],
    ['message_invalid: { status: 422 }', 'message_invalid: { status: 400 }', 'connector.error.422'],
    ['rate_limited: { status: 429 }', 'rate_limited: { status: 503 }', 'connector.error.429'],
    ['bouncer_unreachable: { status: 503 }', 'bouncer_unreachable: { status: 500 }', 'connector.error.503'],
  ),
  ...inFile(
    'src/connector/store/sends.ts',
    ["status: 'pending', reason: null", "status: 'queued', reason: null", 'connector.state.none-to-pending'],
    [
      "timestamp_source: 'local'",
      "timestamp_source: 'observed'",
      'connector.state.none-to-queued',
      'connector.state.queued-to-queued',
      'connector.state.none-to-pending',
      'connector.message.linked-entry',
    ],
  ),
  ...inFile('src/connector/store/echoes.ts', [
    "? 'observed' : 'server'",
    "? 'observed' : 'local'",
    'connector.state.queued-to-echoed',
  ]),
  ...inFile('src/connector/store/parts.ts', [
    'await failSend(database, message)',
    'undefined',
    'connector.state.queued-to-failed',
  ]),
  ...inFile('src/connector/domain/outgoing-message.ts', [
    "WENT_OFFLINE = 'the account went offline'",
    "WENT_OFFLINE = 'offline'",
    'connector.state.pending-to-failed',
  ]),
  ...inFile('src/connector/presence/sending.ts', [
    "earlier !== undefined && earlier.status !== 'failed'",
    'earlier !== undefined',
    'connector.state.failed-write-to-resend-allowed',
  ]),
  ...inFile('src/connector/browser/cookies.ts', ['httpOnly: true', 'httpOnly: false', 'connector.authentication.8']),
  ...inFile('src/connector/domain/nick.ts', ['/^[0-9-]/.test(plain)', '/^-/.test(plain)', 'connector.account.nick']),
  ...inFile('src/connector/services/invite.ts', [
    'channels = context.settings.ircChannels',
    'channels = []',
    'connector.invitation.channels',
  ]),
  ...inFile('src/connector/services/diagnostics.ts', [
    'observedAt >= since',
    'observedAt > since',
    'connector.endpoint.GET-admin-events',
  ]),
  ...inFile(
    'src/connector/admin/events-route.ts',
    ['await services.requireOwner(accountId)', 'undefined', 'connector.authentication.7'],
    [
      'if (written === undefined) return HISTORY_LIMIT_DEFAULT',
      'if (written === undefined) return HISTORY_LIMIT_MAX',
      'connector.limit.limit-query',
    ],
  ),
  ...inFile('src/connector/services/create-account.ts', [
    'enabled: false',
    'enabled: true',
    'connector.account.enabled-channels',
  ]),
  ...inFile('src/connector/pages/settings/view.ts', [
    'isOwner ? services.people(asked) : undefined',
    'undefined',
    'connector.service.6',
  ]),
  ...inFile('src/connector/pages/settings/cards/irc-card.ts', [
    'name="network" value',
    'name="other" value',
    'connector.endpoint.GET-settings',
  ]),
  ...inFile('src/connector/pages/privacy.ts', [
    "path: '/privacy'",
    "path: '/private'",
    'connector.endpoint.GET-privacy',
  ]),
  ...inFile('src/connector/domain/delivery-times.ts', [', 8 * MINUTE_MS]', ']', 'connector.delivery.attempts']),
  ...inFile('src/connector/webhooks/delivery-outcome.ts', [
    'FINAL_STATUSES = [410, 413]',
    'FINAL_STATUSES = [410]',
    'connector.delivery.final-answers',
  ]),
  ...inFile('src/connector/webhooks/signed-headers.ts', [
    "'webhook-id': messageId",
    "'webhook-id': sentAt.toISOString()",
    'connector.event.retries',
  ]),
];
