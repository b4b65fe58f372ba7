import { agentConfig } from './agent.ts';
import { connectorConfig } from './connector.ts';

/** Program name -> schema of its configuration file. */
export const configSchemas = { connector: connectorConfig, agent: agentConfig } as const;
