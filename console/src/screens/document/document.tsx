import type { Document } from '@chancery/client';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useEffect } from 'react';
import { AskLink } from '../../parts/ask-link.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { StartLink } from '../../parts/workflow/start-link.tsx';
import { UploadPanel } from '../../parts/upload-panel.tsx';
import { useTexts } from '../../texts/texts.ts';
import { DocumentMenu } from '../documents/document-menu.tsx';
import { FolderPath } from '../documents/folders.tsx';
import { useDocument } from '../documents/summary.tsx';
import { documentTexts } from '../documents/texts.ts';
import { AccessTab } from './access.tsx';
import { DatesTab } from './dates.tsx';
import styles from './document.module.css';
import { HistoryTab } from './history.tsx';
import { ReadTab } from './read.tsx';
import { SignaturesTab } from './signatures.tsx';
import { type DocumentPageSearch, documentTabs } from './tabs.ts';
import { pageTexts } from './texts.ts';
import { VersionsTab } from './versions.tsx';
import { WorkflowTab } from './workflow.tsx';

/** Everything about one document. */
export function DocumentPage(): JSX.Element {
  const { id = '' } = useParams({ strict: false });
  const query = useDocument(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return <Page key={id} document={query.data} />;
}

function Page({ document }: { document: Document }): JSX.Element {
  const words = useTexts(pageTexts);
  const navigate = useNavigate();
  const { tab = 'read' }: DocumentPageSearch = useSearch({ strict: false });
  useEffect(() => {
    globalThis.document.title = `${document.title} · Chancery`;
  }, [document.title]);
  return (
    <div className={styles.page}>
      <Header document={document} left={() => void navigate({ to: '/documents', replace: true })} />
      <nav className={styles.tabs} aria-label={words.parts}>
        {documentTabs.map((one) => (
          <Link
            key={one}
            to="/documents/$id"
            params={{ id: document.id }}
            search={one === 'read' ? {} : { tab: one }}
            replace
            resetScroll={false}
            aria-current={one === tab ? 'page' : undefined}
            activeOptions={{ exact: true }}
          >
            {words.tabs[one]}
          </Link>
        ))}
      </nav>
      {tab === 'read' && <ReadTab document={document} />}
      {tab === 'versions' && <VersionsTab document={document} />}
      {tab === 'workflow' && <WorkflowTab id={document.id} />}
      {tab === 'signatures' && <SignaturesTab id={document.id} />}
      {tab === 'dates' && <DatesTab id={document.id} />}
      {tab === 'access' && <AccessTab document={document} />}
      {tab === 'history' && <HistoryTab id={document.id} />}
      <UploadPanel />
    </div>
  );
}

function Header({ document, left }: { document: Document; left: () => void }): JSX.Element {
  const words = useTexts(pageTexts);
  const { held } = useTexts(documentTexts);
  const { title, status, currentVersion, folderId, legalHold } = document;
  return (
    <header className={styles.head}>
      <FolderPath id={folderId} />
      <div className={styles.title}>
        <h1>{title}</h1>
        {currentVersion?.mediaType === 'application/pdf' && <AskLink documentId={document.id} />}
        <StartLink documentId={document.id} />
        <DocumentMenu document={document} left={left} />
      </div>
      <p className={styles.facts}>
        <Status of="document" status={status} />
        {currentVersion && <span>{words.version(currentVersion.number)}</span>}
        {legalHold && (
          <span className={styles.hold}>
            <Icon name="lock" size={16} />
            {held}
          </span>
        )}
      </p>
    </header>
  );
}
