/**
 * Operations of the published contract with a fixed list of body members. The service ignores additional members, which clients for other versions
 * may send, and names them in a `Warning` header. In other operations, the schemas decide about additional members.
 */
const closedBodies = new Set([
  'POST /api/v1/security/auth/2fa/disable',
  'POST /api/v1/security/auth/2fa/enable-init',
  'POST /api/v1/security/auth/2fa/enable-confirm',
  'POST /api/v1/security/auth/2fa/regenerate-codes',
  'PUT /api/v1/security/auth/change-password',
  'POST /api/v1/security/auth/login',
  'POST /api/v1/security/auth/logout',
  'PUT /api/v1/security/auth/profile',
  'POST /api/v1/security/auth/refresh',
  'POST /api/v1/security/auth/register',
  'POST /api/v1/security/auth/request-password-reset',
  'POST /api/v1/security/auth/resend-verification',
  'POST /api/v1/security/auth/reset-password',
  'POST /api/v1/security/auth/transfer-ownership',
  'POST /api/v1/security/auth/verify-email',
  'POST /api/v1/security/auth/verify-totp',
  'POST /api/v1/security/auth/staff/login',
  'POST /api/v1/security/auth/staff/verify-totp',
  'POST /api/v1/security/auth/staff/refresh',
  'POST /api/v1/security/auth/staff/logout',
  'POST /api/v1/security/auth/staff/totp/setup-init',
  'POST /api/v1/security/auth/staff/totp/setup-confirm',
  'POST /api/v1/security/auth/staff/totp/regenerate-backup',
  'POST /api/v1/security/auth/staff/totp/disable',
  'PATCH /api/v1/smartdoc/folders/:id/move',
  'POST /api/v1/interfaces/public/:token/submit',
  'POST /api/v1/interfaces/booking/:teamId/:token/cancel',
  'POST /api/v1/interfaces/booking/:teamId/:token/reschedule',
  'POST /api/v1/interfaces/api/:token/submit',
  'POST /api/v1/workflows',
  'POST /api/v1/workflows/templates/:name',
  'PUT /api/v1/workflows/:id',
  'POST /api/v1/workflows/:id/start',
  'POST /api/v1/workflows/:id/pause',
  'POST /api/v1/workflows/:id/resume',
  'POST /api/v1/workflows/:id/cancel',
  'POST /ws/api/agents/cron',
  'PATCH /ws/api/agents/cron/:id',
  'POST /ws/api/agents/cron/:id/pause',
  'POST /ws/api/agents/cron/:id/resume',
  'POST /ws/api/agents/cron/:id/run',
  'POST /ws/api/agents/presets/apply',
  'POST /ws/api/agents/skills',
  'PUT /ws/api/agents/skills/file',
  'PUT /ws/api/agents/:agentId/files/:fileName',
  'POST /api/v1/webhooks',
  'PATCH /api/v1/webhooks/:id',
  'POST /api/v1/webhooks/:id/rotate-secret',
]);

/** Returns whether the published contract lists the body members of this operation. */
export function isPublishedBody(method: string, url: string): boolean {
  return closedBodies.has(`${method} ${url.replace(/\/$/, '')}`);
}
