import { servicePage } from './compose.ts';

/** The settings that mails lead to. */
export const settingsPages = ['team', 'members', 'retention', 'sso', 'directories', 'barriers'] as const;

/** The addresses of the pages that mails to members lead to, as placeholders. The console has a screen for each, or the service a page. */
export const consolePages = {
  inbox: () => servicePage('/app/'),
  signIn: () => servicePage('/app/login'),
  forgotPassword: () => servicePage('/forgot-password'),
  me: () => servicePage('/app/me'),
  task: (id: string) => servicePage(`/app/tasks/${id}`),
  document: (id: string) => servicePage(`/app/documents/${id}`),
  folder: (id: string) => servicePage(`/app/documents?folder=${id}`),
  workflow: (id: string) => servicePage(`/app/workflows/${id}`),
  signatureRequest: (id: string) => servicePage(`/app/signatures/${id}`),
  booking: (id: string) => servicePage(`/app/bookings/${id}`),
  form: (id: string) => servicePage(`/app/forms/${id}`),
  submissions: (form: string) => servicePage(`/app/forms/${form}/submissions`),
  agent: (id: string) => servicePage(`/app/agents/${id}`),
  connections: () => servicePage('/app/connections'),
  settings: (section: (typeof settingsPages)[number]) => servicePage(`/app/settings/${section}`),
} as const;
