import { sqlStatement } from '../../../platform/database/statement.ts';
import type { FieldPlace } from './schemas.ts';

type DocumentVersionKey = { team: string; document: string; version: number };

export const insertPlaces = sqlStatement<DocumentVersionKey & { places: string }, never>(
  'INSERT INTO signature_place (team_id, document_id, version, places) VALUES ($team, $document, $version, $places)',
);

/** The field positions of a version of a document, each with the name of the signer in the template. */
export const findPlaces = sqlStatement<DocumentVersionKey, { places: FieldPlace[] }>(
  'SELECT places FROM signature_place WHERE team_id = $team AND document_id = $document AND version = $version',
);
