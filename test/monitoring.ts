import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type AlertRule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
};
export type Panel = { id: number; gridPos: { x: number; y: number; w: number; h: number }; targets: { expr: string }[] };

/** The rules of `deploy/alerts.yaml`. */
export const alertRules: readonly AlertRule[] = parse(readFileSync('deploy/alerts.yaml', 'utf8')).groups.flatMap(
  ({ rules }: { rules: AlertRule[] }) => rules,
);

/** The panels of `deploy/grafana.json`. */
export const panels: readonly Panel[] = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')).panels;
