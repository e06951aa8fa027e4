import type { App } from '../platform/http/server.ts';
import type { EventListener } from '../platform/journal/record.ts';
export type WebhookDeps = { masterKey: unknown; policy: unknown };
export function webhookRoutes(_app: App, _deps: WebhookDeps): void {}
export const webhookListener: EventListener = async () => undefined;
export const createAddressPolicy = (o: { allowPrivate: boolean; allowCidrs: string[] }) => o;
export const createSender = (o: { policy: unknown; timeoutMs: number; ca?: string }) => ({ close: async () => undefined, o });
export const parseSchedule = (_t: string): number[] => [];
export const createWebhookEngine = (_o: object) => ({ start: async () => undefined, stop: async () => undefined });
