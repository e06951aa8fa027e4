import type { App } from '../platform/http/server.ts';
export function auditRoutes(_app: App): void {}
