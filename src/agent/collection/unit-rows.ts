import type { ReportService } from '../../../schemas/report.ts';

/** Rows of `services`, and why some of them are empty. */
export interface ServiceRows {
  services: ReportService[];
  problem: string | undefined;
}
