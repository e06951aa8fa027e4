import type { App } from '../platform/http/server.ts';
export function taskRoutes(_app: App): void {}
