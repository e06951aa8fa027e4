/** External MCP servers whose tools agents can have. An administrator reviews and enables each tool. */
export { openServers } from './open.ts';
export { sealedCredentials } from './credentials.ts';
export { most } from './limits.ts';
export { RemoteFailure } from './failure.ts';
export { serverRoutes } from './routes.ts';
export { callRemoteTool, recordChangedTool, type RemoteTool, remoteToolsOf } from './use.ts';
export type { Servers } from './context.ts';
export { callbackPath, endSignInsOf, revokeTokensJob, readAnswer, type SignInAnswer, signInRoutes } from './sign-in/index.ts';
