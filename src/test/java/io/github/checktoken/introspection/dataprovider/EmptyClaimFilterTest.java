package io.github.checktoken.introspection.dataprovider;

import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class EmptyClaimFilterTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{'a':null,'b':'','c':' ','d':[],'e':{},'f':'x'}   | {'f':'x'}",
                "{'a':'\u00A0','b':'\u202F\u2007','c':'x\u00A0y'}     | {'c':'x\u00A0y'}",
                "{'a':{'b':' ','c':'x'}}                           | {'a':{'c':'x'}}",
                "{'a':{'b':' ','c':{'d':null}}}                    | {}",
                "{'a':['',' ','x',null]}                           | {'a':['x']}",
                "{'a':[[],{'b':['']},[['x'],[]]]}                  | {'a':[[['x']]]}",
                "{'a':[[{'b':[{}]}]]}                              | {}",
                "{'a':0,'b':false,'c':[0,false],'d':{'e':0.0}}     | {'a':0,'b':false,'c':[0,false],'d':{'e':0.0}}",
            })
    void goAtEveryDepth(String claims, String expected) throws JsonProcessingException {
        Map<String, Object> values = parse(claims);
        EmptyClaimFilter.removeFrom(values);
        assertEquals(parse(expected), values);
    }

    private static Map<String, Object> parse(String json) throws JsonProcessingException {
        return JSON.readValue(json.replace('\'', '"'), new TypeReference<>() {});
    }
}
