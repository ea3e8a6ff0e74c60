// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as conversation from '@/features/help/conversation/draft';
import { maxImages } from '@/features/help/feedback/draft';
import { maxLength } from '@/features/help/feedback/feedback.schema';
import { longestSearch } from '@/ui/form/search-limit';

type Limits = { maxLength?: number; maxItems?: number };
type Described = {
  components: { schemas: Record<string, { properties: Record<string, Limits> }> };
  paths: Record<string, { get?: { parameters?: { name: string; schema: Limits }[] } }>;
};

const file = join(import.meta.dirname, '../../openapi.json');
const { components, paths } = JSON.parse(readFileSync(file, 'utf8')) as Described;

it('limits what is written as the server does', () => {
  const { FeedbackRequest, MessageRequest } = components.schemas;
  expect(FeedbackRequest?.properties).toMatchObject({
    topic: { maxLength: maxLength.topic },
    content: { maxLength: maxLength.content },
    images: { maxItems: maxImages },
  });
  expect(MessageRequest?.properties).toMatchObject({
    text: { maxLength: conversation.maxLength },
    pictures: { maxItems: conversation.maxPictures },
  });
  for (const list of ['/api/transaction_flow/by_day', '/api/plan/order/list']) {
    const search = paths[list]?.get?.parameters?.find(({ name }) => name === 'search');
    expect(search?.schema.maxLength, list).toBe(longestSearch);
  }
});
