/** MCP servers elsewhere whose tools a team lets its agents have: each tool as an administrator has looked at it. */
export { openServers } from './open.ts';
export { sealedCredentials } from './credentials.ts';
export { most } from './limits.ts';
export { RemoteFailure } from './failure.ts';
export { serverRoutes } from './routes.ts';
export { callRemoteTool, noteChangedTool, type RemoteTool, remoteToolsOf } from './use.ts';
export type { Servers } from './context.ts';
export { callbackPath, endSignInsOf, giveBackJob, readAnswer, type SignInAnswer, signInRoutes } from './sign-in/index.ts';
