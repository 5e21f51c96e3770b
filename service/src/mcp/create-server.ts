import { type CallToolResult, McpServer, type ToolAnnotations } from '@modelcontextprotocol/server'
import { buildChapters } from '@vitrine/contract'
import { serviceVersion } from '../observability/service-version.ts'
import { explainFailure } from './explain-failure.ts'
import { makeMockups } from './make-mockups.ts'
import type { McpSurroundings } from './mcp-surroundings.ts'
import type { ListedTemplate } from './mockup-source.ts'
import {
  balanceResult,
  createFromAddress,
  createFromFile,
  createResult,
  listArguments,
  listResult,
  showArguments,
  template,
  usageArguments,
  usageResult,
} from './tool-schemas.ts'

const reading: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

/** An MCP server with Vitrine's tools, and its documentation as resources. It is stateless between calls. */
export function createServer(surroundings: McpSurroundings): McpServer {
  const { source, files } = surroundings
  const server = new McpServer(
    { name: 'vitrine', title: 'Vitrine', version: serviceVersion },
    {
      instructions: `Vitrine places a customer's artwork into designed scenes (templates) and makes finished mockups. Find a template with list_templates, look at it with show_template, then create_mockup. ${source.cost}`,
    },
  )
  server.registerTool(
    'list_templates',
    {
      title: 'List templates',
      description: 'Lists the scenes that artwork can be placed into, 25 to a page. Free.',
      inputSchema: listArguments,
      outputSchema: listResult,
      annotations: reading,
    },
    asked =>
      answer(async () => {
        const { templates, hasMore } = await source.listTemplates(asked)
        const result = { templates: [...templates], has_more: hasMore }
        const lines = templates.map(describeTemplate)
        if (hasMore) lines.push(`There are more: page ${asked.page + 1}.`)
        return say(lines.join('\n') || 'There are no such templates.', result)
      }),
  )
  server.registerTool(
    'show_template',
    {
      title: 'Show a template',
      description: 'Facts about a template and a small picture of it. Free.',
      inputSchema: showArguments,
      outputSchema: template,
      annotations: reading,
    },
    ({ id }) =>
      answer(async () => {
        const shown = await source.showTemplate(id)
        if (shown === null) throw new Error(`There is no template ${JSON.stringify(id)}: list_templates shows all.`)
        const { picture } = shown
        const said = say(JSON.stringify(shown.template), { ...shown.template })
        if (picture !== null)
          said.content.push({ type: 'image', data: Buffer.from(picture).toString('base64'), mimeType: 'image/jpeg' })
        return said
      }),
  )
  const make = {
    title: 'Create mockups',
    outputSchema: createResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  }
  const what = 'Makes one finished mockup for each template and shows a small picture of each.'
  if (files === null)
    server.registerTool(
      'create_mockup',
      {
        ...make,
        description: `${what} ${source.cost} Answers links to the full pictures.`,
        inputSchema: createFromAddress,
      },
      asked => answer(() => makeMockups(asked, surroundings)),
    )
  else
    server.registerTool(
      'create_mockup',
      {
        ...make,
        description: `${what} ${source.cost} The full pictures are saved as files. Give artwork as a path below ${files.root}, never as base64.`,
        inputSchema: createFromFile,
      },
      asked => answer(() => makeMockups(asked, surroundings)),
    )
  registerAccountTools(server, surroundings)
  for (const { id, title, text } of buildChapters(surroundings.publicUrl))
    server.registerResource(
      id,
      `vitrine://guide/${id}`,
      { title, description: `A chapter of Vitrine's documentation: ${title}`, mimeType: 'text/markdown' },
      uri => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text: `# ${title}\n\n${text}\n` }] }),
    )
  return server
}

function registerAccountTools(server: McpServer, { source: { account } }: McpSurroundings): void {
  if (account === null) return
  server.registerTool(
    'get_balance',
    {
      title: 'Credits left',
      description: 'What the account can spend now. Free.',
      outputSchema: balanceResult,
      annotations: reading,
    },
    () =>
      answer(async () => {
        const { balance_credits, balance_dollars } = await account.balance()
        return say(`${balance_credits} credits`, { balance_credits, balance_dollars })
      }),
  )
  server.registerTool(
    'get_usage',
    {
      title: 'Usage',
      description: 'Requests and credits of the account over the last days. Free.',
      inputSchema: usageArguments,
      outputSchema: usageResult,
      annotations: reading,
    },
    ({ period }) =>
      answer(async () => {
        const usage = await account.usage(period)
        return say(JSON.stringify(usage), { ...usage })
      }),
  )
}

/** Describes a template in one line, for assistants that do not read structured content. */
function describeTemplate({ id, name, category, frames, colors }: ListedTemplate): string {
  const ratios = frames.map(({ aspect_ratio }) => aspect_ratio.toFixed(2)).join(', ')
  const facts = [
    category,
    frames.length === 1 ? `artwork ${ratios} wide to high` : `${frames.length} frames, ${ratios} wide to high`,
    ...(colors.length === 0 ? [] : [`colours of ${colors.join(', ')}`]),
  ]
  return `${id}: ${name} (${facts.join('; ')})`
}

const say = (text: string, structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent,
})

/** Reports errors to the assistant as the result of its call. */
async function answer(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work()
  } catch (error) {
    return { content: [{ type: 'text', text: explainFailure(error) }], isError: true }
  }
}
