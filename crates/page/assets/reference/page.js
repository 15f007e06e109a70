// The API for people: what can be asked of the server, read from its own description.

import { get } from '../common/api.js';
import { h } from '../common/dom.js';
import { t } from '../common/texts.js';

/** @typedef {{ $ref?: string, type?: string | string[], items?: Schema, enum?: unknown[], oneOf?: Schema[], allOf?: Schema[], properties?: Record<string, Schema>, required?: string[], description?: string }} Schema */
/** @typedef {{ summary?: string, description?: string, tags?: string[], parameters?: { name: string, in: string, required?: boolean, description?: string, schema?: Schema }[], requestBody?: { content: Record<string, { schema: Schema }> }, responses: Record<string, { content?: Record<string, { schema: Schema }> }> }} Operation */
/** @typedef {{ info: { description: string, version: string }, tags: { name: string, description: string }[], paths: Record<string, Record<string, Operation>>, components: { schemas: Record<string, Schema> } }} Description */

/** @param {string} reference */
const nameOf = (reference) => reference.split('/').at(-1) ?? reference;

/** A type in short: `Table`, `string[]`, `number or null`. @param {Schema | undefined} schema @returns {import('../common/dom.js').Child[]} */
function typeOf(schema) {
  if (!schema) return [];
  if (schema.$ref) return [h('a', { href: `#${nameOf(schema.$ref)}`, target: '_self' }, nameOf(schema.$ref))];
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(' | ')];
  const several = schema.oneOf ?? schema.allOf;
  if (several) return several.flatMap((one, i) => [i > 0 && (schema.allOf ? ' & ' : ' | '), ...typeOf(one)]);
  if (schema.items) return [...typeOf(schema.items), '[]'];
  return [[schema.type ?? 'object'].flat().join(' | ')];
}

/** @param {[string, Schema, boolean][]} fields */
const fieldList = (fields) => fields.length > 0 && h('dl', { class: 'api-fields' }, fields.map(([name, schema, required]) => h('div', {},
  h('dt', {}, h('code', {}, name), !required && h('small', { class: 'muted' }, ` ${t('optional')}`), ' ', h('span', { class: 'api-type' }, typeOf(schema))),
  schema.description && h('dd', {}, schema.description))));

/** @param {Schema} schema @returns {[string, Schema, boolean][]} */
const fieldsOf = (schema) => [...(schema.allOf ?? []).flatMap(fieldsOf), ...Object.entries(schema.properties ?? {}).map(([name, field]) => /** @type {[string, Schema, boolean]} */ ([name, field, schema.required?.includes(name) ?? false]))];

/** @param {string} path @param {string} method @param {Operation} operation */
function operationOf(path, method, operation) {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const answers = Object.entries(operation.responses).map(([status, { content }]) => h('li', {}, h('code', {}, status), ' ', typeOf(Object.values(content ?? {})[0]?.schema), ' ', h('span', { class: 'muted' }, Object.keys(content ?? {}).join())));
  return h('article', { class: 'api-operation' },
    h('h3', {}, h('span', { class: `method ${method}` }, method.toUpperCase()), ' ', h('code', {}, path)),
    h('p', {}, [operation.summary, operation.description].filter(Boolean).join(' ')),
    fieldList((operation.parameters ?? []).map((one) => [one.name, { ...one.schema, description: one.description }, one.required ?? false])),
    body && h('p', {}, `${t('Body')}: `, typeOf(body)), h('ul', { class: 'api-answers' }, answers));
}

/** @returns {Promise<import('../common/router.js').Page>} */
export async function referencePage() {
  /** @type {Description} */
  const { info, tags, paths, components } = await get('/api/openapi.json');
  const operations = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  return {
    title: 'API',
    element: h('div', { class: 'page reference', lang: 'en' },
      h('div', { class: 'heading' }, h('h1', {}, 'API'), h('p', {}, h('a', { href: '/api/openapi.json' }, 'openapi.json'))),
      h('p', {}, info.description),
      tags.map(({ name, description }) => h('section', { class: 'card', 'aria-label': name }, h('h2', {}, description),
        operations.filter(({ operation }) => operation.tags?.includes(name)).map(({ path, method, operation }) => operationOf(path, method, operation)))),
      h('section', { class: 'card', 'aria-label': t('Types') }, h('h2', {}, t('Types')),
        Object.entries(components.schemas).map(([name, schema]) => h('article', { class: 'api-operation', id: name }, h('h3', {}, name), schema.description && h('p', {}, schema.description), fieldList(fieldsOf(schema)), !schema.properties && !schema.allOf && h('p', {}, typeOf(schema)))))),
  };
}
