package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Service is called over plain HTTP.
type Service struct{ URL string }

// Event is what this program reads of events of the kinds message and transactions.
type Event struct {
	Type    string
	Message struct {
		Status  string
		Success bool
		TraceID string `json:"trace_id"`
	}
	Transaction struct {
		Hash    string
		TraceID string `json:"trace_id"`
	}
}

// Get calls a method that reads.
func (service Service) Get(ctx context.Context, path string, query url.Values, result any) error {
	response, err := service.send(ctx, "GET", path+"?"+query.Encode(), nil, "")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(result)
}

// Post calls a method with a JSON body.
func (service Service) Post(ctx context.Context, path string, body, result any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	response, err := service.send(ctx, "POST", path, bytes.NewReader(text), "")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(result)
}

// Events yields each event of a subscription once, also when the connection is lost in between.
func (service Service) Events(ctx context.Context, query url.Values) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for cursor := ""; ctx.Err() == nil; time.Sleep(time.Second) {
			response, err := service.send(ctx, "GET", "/api/streaming/events?"+query.Encode(), nil, cursor)
			if refused := (*Refusal)(nil); errors.As(err, &refused) {
				yield(Event{}, err)
				return
			} else if err == nil && !told(response.Body, &cursor, yield) {
				return
			}
		}
		yield(Event{}, ctx.Err())
	}
}

// told yields the events of one connection; it returns whether more may follow on the next one.
func told(stream io.ReadCloser, cursor *string, yield func(Event, error) bool) bool {
	defer stream.Close()
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "id":
			*cursor = value
		case "data":
			var event Event
			err := json.Unmarshal([]byte(value), &event)
			isShown := err != nil || event.Type == "message" || event.Type == "transaction"
			if event.Type == "end" || isShown && !yield(event, err) {
				return false
			}
		}
	}
	return true
}

// Refusal is an answer with another status than 200.
type Refusal struct{ Path, Status, Text string }

func (refusal *Refusal) Error() string {
	return fmt.Sprintf("%s: %s: %s", refusal.Path, refusal.Status, refusal.Text)
}

func (service Service) send(ctx context.Context, verb, path string, body io.Reader, cursor string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, verb, service.URL+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if cursor != "" {
		request.Header.Set("Last-Event-ID", cursor)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<16))
		return nil, &Refusal{request.URL.Path, response.Status, string(text)}
	}
	return response, nil
}
