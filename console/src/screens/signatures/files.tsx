import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { download } from '../../parts/download.ts';
import { Icon } from '../../parts/icons.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Request } from './request-data.ts';
import styles from './signatures.module.css';
import { signatureTexts } from './texts.ts';

const pauseMs = 1_000;
const maxWaits = 120;

/** Starts an evidence pack, waits until it is ready, and downloads it. */
async function downloadEvidence(signatureRequestId: string): Promise<void> {
  let { id, status } = await ok(api.POST('/api/v1/evidence', { body: { signatureRequestId } }));
  for (let wait = 0; status === 'pending' && wait < maxWaits; wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    ({ id, status } = await ok(api.GET('/api/v1/evidence/{id}', { params: { path: { id } } })));
  }
  await download(`/api/v1/evidence/${id}/file`);
}

/** The documents of a request, their sealed files, and the evidence. */
export function RequestFiles({ request }: { request: Request }): JSX.Element {
  const words = useTexts(signatureTexts);
  const claims = useClaims();
  const { run, isBusy, error } = useAction();
  const mayProve = claims.scopes.has('evidence:write') && request.evidence.length > 0;
  return (
    <>
      <ul className={styles.files}>
        {request.documents.map(({ documentId, title, version, sealedVersion, error: failure }) => (
          <li key={documentId}>
            <Icon name="document" />
            <div>
              <Link to="/documents/$id" params={{ id: documentId }}>
                {title}
              </Link>
              <p className="soft">{sealedVersion === undefined ? words.version(version) : words.sealedVersion(sealedVersion)}</p>
              {failure !== undefined && <p className={styles.wrong}>{failure}</p>}
            </div>
            {sealedVersion !== undefined && (
              <Button
                variant="default"
                size="xs"
                leftSection={<Icon name="download" size={16} />}
                aria-label={words.downloadSealedOf(title)}
                onClick={() => void run(() => download(`/api/v1/smartdoc/documents/${documentId}/content?version=${sealedVersion}`))}
              >
                {words.downloadSealed}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayProve && (
        <div className={styles.evidence}>
          <p className="soft">{words.evidenceText(request.evidence.length)}</p>
          <Button
            variant="default"
            loading={isBusy}
            leftSection={<Icon name="download" size={16} />}
            onClick={() => void run(() => downloadEvidence(request.id))}
          >
            {words.downloadEvidence}
          </Button>
        </div>
      )}
      {error !== undefined && <ProblemNotice error={error} />}
    </>
  );
}
