import * as z from 'zod';
import { hostReport } from '../../schemas/report.ts';

/** The JSON Schema of the agent's report. It allows fields it does not name, because the report only grows. */
export function publishedReportSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(hostReport, { io: 'input', target: 'draft-7' });
  return { $schema, $id: 'urn:homeport-report:v1', title: 'Report of homeport-agent', ...rest };
}
