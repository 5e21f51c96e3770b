import { SAMPLE_TIMEOUT_SECONDS, type SampleLanguage, type SampleRead, sampleValues } from './sample-values.ts'

const { templateId, batchTemplateIds, artworkUrl, widthPx, idempotencyKey } = sampleValues

const AUTHORIZATION = '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("VITRINE_API_KEY"))'

const program = (packages: readonly string[], lines: readonly string[]): string => `package main

import (
${[...packages, 'encoding/json', 'log', 'net/http', 'os', 'time']
  .sort()
  .map(name => `\t"${name}"`)
  .join('\n')}
)

func main() {
${lines.join('\n')}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}`

/** Sends `request`, and exits unless it succeeds. */
const SEND = `	client := &http.Client{Timeout: ${SAMPLE_TIMEOUT_SECONDS} * time.Second}
	answer, err := client.Do(request)
	check(err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		var problem struct{ Code, Error string }
		check(json.NewDecoder(answer.Body).Decode(&problem))
		log.Fatalf("%s: %s", problem.Code, problem.Error)
	}`

/** balance_credits -> BalanceCredits: encoding/json uses only capitalised fields. */
const nameInGo = (field: string): string =>
  field
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const tagged = (field: string, type: string): string => `${nameInGo(field)} ${type} \`json:"${field}"\``

function show(shows: SampleRead['shows']): string {
  if ('field' in shows)
    return `	var found struct {
		${tagged(shows.field, 'int')}
	}
	check(json.NewDecoder(answer.Body).Decode(&found))
	fmt.Println(found.${nameInGo(shows.field)})`
  const { list, fields } = shows
  return `	var found struct {
		${nameInGo(list)} []struct{ ${fields.map(nameInGo).join(', ')} string }
	}
	check(json.NewDecoder(answer.Body).Decode(&found))
	for _, entry := range found.${nameInGo(list)} {
		fmt.Println(${fields.map(field => `entry.${nameInGo(field)}`).join(', ')})
	}`
}

export const goSamples: SampleLanguage = {
  lang: 'go',
  label: 'Go',
  upload: url =>
    program(
      ['bytes', 'io', 'mime/multipart'],
      [
        `	artwork, err := os.Open("artwork.jpg")
	check(err)
	defer artwork.Close()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	check(form.WriteField("template_id", "${templateId}"))
	check(form.WriteField("width", "${widthPx}"))
	part, err := form.CreateFormFile("artwork", "artwork.jpg")
	check(err)
	_, err = io.Copy(part, artwork)
	check(err)
	check(form.Close())

	request, err := http.NewRequest("POST", "${url}", &body)
	check(err)`,
        AUTHORIZATION,
        `	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Idempotency-Key", "${idempotencyKey}")`,
        SEND,
        `	mockup, err := os.Create("mockup.jpg")
	check(err)
	_, err = io.Copy(mockup, answer.Body)
	check(err)
	check(mockup.Close())`,
      ],
    ),
  batch: url =>
    program(
      ['bytes'],
      [
        `	body, err := json.Marshal(map[string]any{
		"template_ids":    []string{${batchTemplateIds.map(id => `"${id}"`).join(', ')}},
		"artwork_url":     "${artworkUrl}",
		"width":           ${widthPx},
		"response_format": "json",
	})
	check(err)
	request, err := http.NewRequest("POST", "${url}", bytes.NewReader(body))
	check(err)`,
        AUTHORIZATION,
        `	request.Header.Set("Content-Type", "application/json")`,
        SEND,
        `	var found struct {
		Results []struct {
			${tagged('template_id', 'string')}
			Image []byte
		}
	}
	check(json.NewDecoder(answer.Body).Decode(&found))
	for _, result := range found.Results {
		check(os.WriteFile(result.TemplateId+".jpg", result.Image, 0o644))
	}`,
      ],
    ),
  read: (url, shows) =>
    program(
      ['fmt'],
      [
        `	request, err := http.NewRequest("GET", "${url}", nil)
	check(err)`,
        AUTHORIZATION,
        SEND,
        show(shows),
      ],
    ),
}
