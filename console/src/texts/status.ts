import { defineTexts } from './texts.ts';

/** The states of documents, workflows and signature requests. */
export const statusTexts = defineTexts({
  en: {
    document: { draft: 'Draft', in_review: 'In review', approved: 'Approved', signed: 'Signed', archived: 'Archived' },
    workflow: { draft: 'Draft', active: 'Running', paused: 'Paused', completed: 'Completed', rejected: 'Rejected', cancelled: 'Cancelled' },
    signature: {
      preparing: 'In preparation',
      pending: 'Waiting',
      sealing: 'Sealing',
      completed: 'Signed by all',
      declined: 'Declined',
      expired: 'Expired',
      voided: 'Voided',
      failed: 'Failed',
    },
  },
  de: {
    document: { draft: 'Entwurf', in_review: 'In Prüfung', approved: 'Freigegeben', signed: 'Unterschrieben', archived: 'Archiviert' },
    workflow: {
      draft: 'Entwurf',
      active: 'Läuft',
      paused: 'Angehalten',
      completed: 'Abgeschlossen',
      rejected: 'Abgelehnt',
      cancelled: 'Abgebrochen',
    },
    signature: {
      preparing: 'In Vorbereitung',
      pending: 'Wartet',
      sealing: 'Wird gesiegelt',
      completed: 'Von allen unterschrieben',
      declined: 'Abgelehnt',
      expired: 'Abgelaufen',
      voided: 'Für ungültig erklärt',
      failed: 'Fehlgeschlagen',
    },
  },
});
