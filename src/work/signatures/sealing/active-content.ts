import { type PDF, PdfDict } from '@libpdf/core';
import { visibilityOf } from './appearance.ts';
import { Unsealable } from './pdf-sealer.ts';
import { dictionaryAt, eachDictionary, isStream, membersAt, nameAt } from './walk.ts';

/** Actions that run something, send something, or change what is shown (ISO 32000-2, 12.6.4). */
const actions: Readonly<Record<string, string>> = {
  JavaScript: 'a script',
  Launch: 'an action that starts a program',
  SubmitForm: 'an action that sends what was filled in',
  ImportData: 'an action that reads data from elsewhere',
  SetOCGState: 'an action that changes what is shown',
  Hide: 'an action that changes what is shown',
  Rendition: 'a film or a sound',
  Movie: 'a film or a sound',
  Sound: 'a film or a sound',
  RichMediaExecute: 'a film or a sound',
  GoTo3DView: 'a model in three dimensions',
};
const annotations: Readonly<Record<string, string>> = {
  RichMedia: 'a film or a sound',
  Movie: 'a film or a sound',
  Sound: 'a film or a sound',
  Screen: 'a film or a sound',
  '3D': 'a model in three dimensions',
};

/** Annotations that draw nothing of their own: a link has a frame at most, a note opens when it is asked for. */
const bare: ReadonlySet<string> = new Set(['Link', 'Popup']);

/** Throws where the PDF runs something, shows something that lies elsewhere, or hides what could be shown. */
export function refuseActiveContent(pdf: PDF): void {
  eachDictionary(pdf, (dictionary) => {
    const found = activeIn(pdf, dictionary);
    if (found === undefined) return;
    throw new Unsealable(
      'active_content',
      `The file has ${found}, so that it could show one thing now and another later. Print it as PDF, and send that.`,
    );
  });
  if (hidesLayers(pdf))
    throw new Unsealable(
      'active_content',
      'The file has layers that are not shown. Print it as PDF with the content to sign, and send that.',
    );
  refuseChangingAnnotations(pdf);
}

/** Throws where an annotation is shown on the screen and not in print, in print alone, or as the pointer moves. */
function refuseChangingAnnotations(pdf: PDF): void {
  pdf.getPages().forEach(({ dict }, at) => {
    for (const annotation of membersAt(pdf, dict, 'Annots')) {
      if (!(annotation instanceof PdfDict) || bare.has(nameAt(pdf, annotation, 'Subtype') ?? '')) continue;
      const { onScreen, inPrint, varies } = visibilityOf(pdf, annotation);
      if (onScreen === inPrint && !varies) continue;
      throw new Unsealable(
        'active_content',
        `Page ${at + 1} has an annotation that is shown ${onScreen ? 'on the screen' : 'in print'} alone. Print the file as PDF with the content to sign, and send that.`,
      );
    }
  });
}

function activeIn(pdf: PDF, dictionary: PdfDict): string | undefined {
  if (dictionary.has('JS') || dictionary.has('JavaScript')) return 'a script';
  const type = nameAt(pdf, dictionary, 'Type');
  const action = type === 'StructElem' ? undefined : nameAt(pdf, dictionary, 'S');
  if (action !== undefined && Object.hasOwn(actions, action)) return actions[action];
  const subtype = nameAt(pdf, dictionary, 'Subtype');
  if (subtype !== undefined && dictionary.has('Rect') && Object.hasOwn(annotations, subtype)) return annotations[subtype];
  if (dependsOnUse(pdf, dictionary)) return 'layers that are shown in some programs or uses alone';
  if (isStream(dictionary) && (dictionary.has('Alternates') || subtype === 'PS' || nameAt(pdf, dictionary, 'Subtype2') === 'PS'))
    return 'content for print alone';
  // Data of a stream that lies in another file, or a page of another file (ISO 32000-2, 7.3.8.2 and 8.10.4).
  if (isStream(dictionary) && (dictionary.has('F') || (subtype === 'Form' && dictionary.has('Ref')))) return 'content that lies elsewhere';
  return undefined;
}

/** Whether the file turns a layer off by default, or leaves its state to the reader. */
function hidesLayers(pdf: PDF): boolean {
  const layers = dictionaryAt(pdf, pdf.getCatalog(), 'OCProperties');
  const usual = layers && dictionaryAt(pdf, layers, 'D');
  const base = usual && nameAt(pdf, usual, 'BaseState');
  return (base !== undefined && base !== 'ON') || (usual !== undefined && membersAt(pdf, usual, 'OFF').length > 0);
}

/** Whether content depends on layers that are off, or a layer depends on the use of the page (ISO 32000-2, 8.11.2.2 and 8.11.4.4). */
function dependsOnUse(pdf: PDF, dictionary: PdfDict): boolean {
  if (membersAt(pdf, dictionary, 'VE').length > 0) return true;
  const policy = nameAt(pdf, dictionary, 'P');
  if (policy === 'AllOff' || policy === 'AnyOff') return true;
  const usage = dictionaryAt(pdf, dictionary, 'Usage');
  if (usage === undefined) return false;
  return (
    ['Zoom', 'Language', 'User'].some((member) => dictionaryAt(pdf, usage, member) !== undefined) ||
    ['View', 'Print', 'Export'].some((use) => {
      const says = dictionaryAt(pdf, usage, use);
      const state = says && nameAt(pdf, says, `${use}State`);
      return state !== undefined && state !== 'ON';
    })
  );
}
